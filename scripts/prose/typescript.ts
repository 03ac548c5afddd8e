/** The comments and string literals of a TypeScript file, as sentences. */
import { parseSync, Visitor } from 'oxc-parser'
import { type Sentence, sentencesOf } from './markdown.ts'

export function sentencesOfTypeScript(file: string, source: string): readonly Sentence[] {
  const { program, comments } = parseSync(file, source)
  const texts = comments.map(({ value, start }) => ({ text: commentText(value), start }))
  const add = (text: string, start: number) => {
    if (!isSql(text)) texts.push(...paragraphsOf(text).map((part) => ({ text: part, start })))
  }
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add(value, start)
    },
    TemplateElement: ({ value, start }) => add(value.cooked ?? '', start),
    JSXText: ({ value, start }) => add(value, start),
  }).visit(program)
  const lineOf = lineFinder(source)
  return texts
    .filter(({ text }) => /\w \w/.test(text))
    .flatMap(({ text, start }) => sentencesOf(text).map((sentence) => ({ text: sentence, line: lineOf(start) })))
}

/** Whether a text is SQL of several lines, which is not prose. */
function isSql(text: string): boolean {
  return /\n\s*\)?\s*(select|from|where|join|group by|order by|having|create|insert|drop|alter|loop|"\w+" \w+)\b/i.test(
    text,
  )
}

/** Separates paragraphs, and lines that are code or columns: those with an indent or with several spaces in a row. */
function paragraphsOf(text: string): readonly string[] {
  return text.split(/\n\s*\n|\n(?=.*\S? {2}|\|)|(?<= {2}.*)\n/)
}

/** Without the stars, examples and inline code of a documentation comment. */
function commentText(comment: string): string {
  return comment
    .replace(/^\s*\*+ ?/gm, '')
    .replace(/^ *```.*?^ *```$/gms, '')
    .replace(/`[^`]+`/g, 'code')
    .replace(/\s+/g, ' ')
}

function lineFinder(source: string): (offset: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  return (offset) => ends.findLastIndex((end) => end < offset) + 2
}
