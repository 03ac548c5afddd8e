/** A change of a file, as a page shows it: lines that stay, lines that go (`-`) and lines that come (`+`). */

export interface FileChange {
  readonly name: string
  /** Where several places change, `…` stands between them. */
  readonly parts: readonly Part[]
}

interface Part {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Reads the block: its first line names the file, `// service.ts`. */
export function fileChange(code: string): FileChange {
  const [first = '', ...lines] = code.trimEnd().split('\n')
  const name = /^ ?(?:\/\/|#|<!--) (\S+\.\w+)/.exec(first)?.[1]
  if (name === undefined) throw new Error(`The first line of a diff names its file, as "// service.ts": ${first}`)
  const parts = lines.join('\n').split(/^ *…\n/m)
  return { name, parts: parts.map((part) => readPart(part.trimEnd().split('\n'))) }
}

function readPart(lines: readonly string[]): Part {
  const texts = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1))
  return { before: texts('+'), after: texts('-') }
}

/** The text after the change; what stays and what goes must stand in it, in one place each. */
export function changed(text: string, { name, parts }: FileChange): string {
  return parts.reduce((lines, part) => partChanged(name, lines, part), text.split('\n')).join('\n')
}

function partChanged(name: string, lines: readonly string[], { before, after }: Part): string[] {
  const isPlace = (at: number) => before.every((line, offset) => lines[at + offset] === line)
  const [place, another] = lines.keys().filter(isPlace)
  if (before.length > 0 && place !== undefined && another === undefined)
    return lines.toSpliced(place, before.length, ...after)
  const found = place === undefined ? 'no place' : 'more than one place'
  throw new Error(`${name} has ${found} for this change:\n${before.join('\n')}`)
}
