/** The fenced blocks of a Markdown page, with their position and, if they are files, their names. */

export interface Block {
  /** The text after the fence (default: `text`). */
  readonly language: string
  readonly code: string
  /** The line of the opening fence, from 1. */
  readonly line: number
  /** The last line of text above it. */
  readonly lead: string
}

export interface NamedFile {
  readonly name: string
  readonly text: string
}

/** A first line that is a comment with only the name of a file. */
const nameLine = /^(?:\/\/|#|<!--|\/\*) (\S+\.\w+)(?: -->| \*\/)?$/
/** A sentence that ends with the name of a file, for formats without comments, such as JSON. */
const nameLead = /`([^`\s]+\.\w+)`:$/

/** All blocks in their order. Blocks in lists are indented with their fences. */
export function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let lead = ''
  for (let index = 0; index < lines.length; index++) {
    const line = `${lines[index]}`
    if (/^\s*~~~/.test(line)) throw new Error(`Line ${index + 1}: write the fence as \`\`\`.`)
    const [fence, indentation = '', language = ''] = /^( *)```(.*)$/.exec(line) ?? []
    if (fence === undefined) {
      if (line !== '') lead = line
      continue
    }
    const end = lines.indexOf(`${indentation}\`\`\``, index + 1)
    if (end < 0) throw new Error(`Line ${index + 1}: the block has no end.`)
    const code = lines.slice(index + 1, end).map((text) => `${text.slice(indentation.length)}\n`)
    blocks.push({ language: language.trim() || 'text', code: code.join(''), line: index + 1, lead })
    // The name of a file applies to one block only.
    lead = ''
    index = end
  }
  return blocks
}

/** The file of a block, including the line with its name. */
export function fileOf({ language, code, lead }: Block): NamedFile | undefined {
  if (['sh', 'console', 'diff', 'text', 'http'].includes(language)) return undefined
  const name = nameLine.exec(code.split('\n', 1)[0] ?? '')?.[1] ?? nameLead.exec(lead)?.[1]
  return name === undefined ? undefined : { name, text: code }
}
