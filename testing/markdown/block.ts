/** The fenced blocks of a Markdown page, each with where it stands and, where it is a file, which. */

export interface Block {
  /** What stands behind the fence; `text` where nothing does. */
  readonly language: string
  readonly code: string
  /** Of the opening fence, from 1. */
  readonly line: number
  /** The last line of text above it. */
  readonly lead: string
}

export interface NamedFile {
  readonly name: string
  readonly text: string
}

/** A first line that is a comment with nothing but the name of a file. */
const nameLine = /^(?:\/\/|#|<!--|\/\*) (\S+\.\w+)(?: -->| \*\/)?$/
/** A sentence that ends with the name of a file: for what has no comments, such as JSON. */
const nameLead = /`([^`\s]+\.\w+)`:$/

/** All of them, in their order. A fence that does not stand at the beginning of its line is none that could be run. */
export function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let lead = ''
  for (let at = 0; at < lines.length; at++) {
    const line = `${lines[at]}`
    if (/^\s+(```|~~~)|^~~~/.test(line)) throw new Error(`Line ${at + 1}: begin the line with the fence, as \`\`\`.`)
    if (!line.startsWith('```')) {
      if (line !== '') lead = line
      continue
    }
    const end = lines.indexOf('```', at + 1)
    if (end < 0) throw new Error(`Line ${at + 1}: the block has no end.`)
    const code = lines.slice(at + 1, end).map((text) => `${text}\n`)
    blocks.push({ language: line.slice(3).trim() || 'text', code: code.join(''), line: at + 1, lead })
    // The name of a file leads one block only.
    lead = ''
    at = end
  }
  return blocks
}

/** The file that a block is, as a reader would save it: the line with its name stays. */
export function fileOf({ language, code, lead }: Block): NamedFile | undefined {
  if (['sh', 'console', 'diff', 'text', 'http'].includes(language)) return undefined
  const name = nameLine.exec(code.split('\n', 1)[0] ?? '')?.[1] ?? nameLead.exec(lead)?.[1]
  return name === undefined ? undefined : { name, text: code }
}
