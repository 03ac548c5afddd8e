/** What an answer must not tell of the inside of a service. */

const leaks: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'a frame of a stack',
    /\bat (?:async )?[\w.<>$ ]+ ?\((?:file:|node:|\/|[A-Z]:\\)[^)]*:\d+:\d+\)|^\s+at .+:\d+:\d+$/m,
  ],
  ['a frame of a stack', /Traceback \(most recent call last\)|\.java:\d+\)|\bgoroutine \d+ \[|\bin \/\S+\.php:\d+/],
  ['a path of its files', /node_modules|\/(?:home|root|usr|var|opt|srv|app|work|tmp)\/[\w.-]+\/[\w./-]+|file:\/\/\//],
  ['a database by its name', /\bSQLITE_?[A-Z]*\b|\bsqlite3?\b|\bPostgreSQL\b|\bpostgres:\/\/|\bORA-\d{5}\b|\bMySQL\b/],
  [
    'text of SQL',
    /\bselect\b[^"]{1,200}\bfrom\b\s+["`\w]|\binsert into\b|\bupdate\b\s+["`]?\w+["`]?\s+\bset\b|\bdelete from\b/i,
  ],
  [
    'an error of a database',
    /syntax error (?:at or near|near)|violates .{1,40} constraint|constraint failed|no such (?:table|column)/i,
  ],
  [
    'the name of an exception',
    /\b(?:Type|Range|Reference|Syntax|Assertion|Database|System)Error\b|\b[a-z]+(?:\.[a-z]+)+\.\w+Exception\b/,
  ],
  [
    'a code of the system',
    /\bE(?:NOENT|ACCES|CONNREFUSED|CONNRESET|PIPE|MFILE|ISDIR|NOTDIR)\b|\bERR_[A-Z_]{4,}\b|\bHPE_[A-Z_]+\b|\bFST_ERR_\w+/,
  ],
]

/** The first thing that the text gives away, and was not given by whoever asked; undefined where there is none. */
export function leakOf(text: string, given: string): string | undefined {
  for (const [what, pattern] of leaks) {
    const found = pattern.exec(text)?.[0]
    if (found !== undefined && !isGiven(found, given)) return `${what}: ${found.trim().slice(0, 120)}`
  }
  return undefined
}

/** An answer may quote the request: what was sent is no secret. */
function isGiven(found: string, given: string): boolean {
  const loose = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  return loose(given).includes(loose(found))
}
