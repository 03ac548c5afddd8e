/** Internals of a service that a response must not contain. */

/** A path of a URL, such as `https://example.com/app/problem/name`, is not a file path. */
const leaks: readonly (readonly [description: string, pattern: RegExp])[] = [
  ['a stack frame', /\bat (?:async )?[\w.<>$ ]+ ?\((?:file:|node:|\/|[A-Z]:\\)[^)]*:\d+:\d+\)|^\s+at .+:\d+:\d+$/m],
  ['a stack frame', /Traceback \(most recent call last\)|\.java:\d+\)|\bgoroutine \d+ \[|\bin \/\S+\.php:\d+/],
  ['a file path', /node_modules|(?<![\w.])\/(?:home|root|usr|var|opt|srv|app|work|tmp)\/[\w.-]+\/[\w./-]+|file:\/\/\//],
  ['the name of a database', /\bSQLITE_?[A-Z]*\b|\bsqlite3?\b|\bPostgreSQL\b|\bpostgres:\/\/|\bORA-\d{5}\b|\bMySQL\b/],
  [
    'SQL',
    /\bselect\b[^"]{1,200}\bfrom\b\s+["`\w]|\binsert into\b|\bupdate\b\s+["`]?\w+["`]?\s+\bset\b|\bdelete from\b/i,
  ],
  [
    'a database error',
    /syntax error (?:at or near|near)|violates .{1,40} constraint|constraint failed|no such (?:table|column)/i,
  ],
  [
    'the name of an exception',
    /\b(?:Type|Range|Reference|Syntax|Assertion|Database|System)Error\b|\b[a-z]+(?:\.[a-z]+)+\.\w+Exception\b/,
  ],
  [
    'a system error code',
    /\bE(?:NOENT|ACCES|CONNREFUSED|CONNRESET|PIPE|MFILE|ISDIR|NOTDIR)\b|\bERR_[A-Z_]{4,}\b|\bHPE_[A-Z_]+\b|\bFST_ERR_\w+/,
  ],
]

/** The first leak in a response body that the request does not contain; undefined if there is none. */
export function leakOf(text: string, request: string): string | undefined {
  for (const [description, pattern] of leaks) {
    const leak = pattern.exec(text)?.[0]
    if (leak !== undefined && !isInRequest(leak, request)) return `${description}: ${leak.trim().slice(0, 120)}`
  }
  return undefined
}

/** A response may quote the request. */
function isInRequest(leak: string, request: string): boolean {
  const lettersAndDigits = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  return lettersAndDigits(request).includes(lettersAndDigits(leak))
}
