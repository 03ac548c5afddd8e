/** A change of a file in a diff block: unchanged lines, removed lines (`-`) and added lines (`+`). */

export interface FileChange {
  readonly name: string
  /** Several parts are separated by `…`. */
  readonly parts: readonly Part[]
}

interface Part {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Parses the block. Its first line has the name of the file: `// service.ts`. */
export function fileChange(code: string): FileChange {
  const [first = '', ...lines] = code.trimEnd().split('\n')
  const name = /^ ?(?:\/\/|#|<!--) (\S+\.\w+)/.exec(first)?.[1]
  if (name === undefined)
    throw new Error(`The first line of a diff must be the name of its file, such as "// service.ts": ${first}`)
  const parts = lines.join('\n').split(/^ *…\n/m)
  return { name, parts: parts.map((part) => readPart(part.trimEnd().split('\n'))) }
}

function readPart(lines: readonly string[]): Part {
  const texts = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1))
  return { before: texts('+'), after: texts('-') }
}

/** Applies the change. Unchanged and removed lines must occur in the text exactly once. */
export function applyChange(text: string, { name, parts }: FileChange): string {
  return parts.reduce((lines, part) => applyPart(name, lines, part), text.split('\n')).join('\n')
}

function applyPart(name: string, lines: readonly string[], { before, after }: Part): string[] {
  const matches = (index: number) => before.every((line, offset) => lines[index + offset] === line)
  const [position, second] = lines.keys().filter(matches)
  if (before.length > 0 && position !== undefined && second === undefined)
    return lines.toSpliced(position, before.length, ...after)
  const count = position === undefined ? 'no match' : 'more than one match'
  throw new Error(`${name} has ${count} for this change:\n${before.join('\n')}`)
}
