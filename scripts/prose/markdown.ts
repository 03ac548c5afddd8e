/** The sentences of a Markdown page, each with its line. Code, URLs and regions between prose comments are left out. */

export interface Sentence {
  readonly text: string
  /** The line number, from 1. */
  readonly line: number
}

interface Block {
  text: string
  readonly line: number
}

export function sentencesOfMarkdown(markdown: string): readonly Sentence[] {
  return blocksOf(markdown).flatMap(({ text, line }) => sentencesOf(text).map((sentence) => ({ text: sentence, line })))
}

/** Paragraphs, list items, headings and table cells. */
function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const { text, line } of proseLines(markdown)) {
    const isNew = open === undefined || /^\s*([-*>]|\d+\.|#+) /.test(text)
    if (text.trim() === '') open = undefined
    else if (/^\s*\|/.test(text)) {
      blocks.push(...cellsOf(text).map((cell) => ({ text: cell, line })))
      open = undefined
    } else if (isNew) {
      open = { text: plainText(text.replace(/^\s*([-*>]|\d+\.|#+) /, '')), line }
      blocks.push(open)
      if (/^#+ /.test(text)) open = undefined
    } else if (open) open.text += ` ${plainText(text.trim())}`
  }
  return blocks
}

function* proseLines(markdown: string): Generator<Block> {
  let isCode = false
  let isOff = false
  for (const [index, text] of markdown.split('\n').entries()) {
    if (/^\s*```/.test(text)) isCode = !isCode
    else if (/^<!-- .*begin|^<!-- prose: off/.test(text)) isOff = true
    else if (/^<!-- .*end -->|^<!-- prose: on/.test(text)) isOff = false
    else if (!isCode && !isOff) yield { text: text.replace(/<!--.*?-->/g, ''), line: index + 1 }
  }
}

function cellsOf(row: string): readonly string[] {
  if (/^[\s|:-]+$/.test(row)) return []
  return plainText(row)
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
}

/** Inline code and quoted text are one word, a link is its text. */
function plainText(text: string): string {
  return text
    .replace(/(`+)[^`].*?\1/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/"[^"]+"/g, 'quote')
    .replaceAll('**', '')
}

export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.?!:])\s+(?=\S)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}
