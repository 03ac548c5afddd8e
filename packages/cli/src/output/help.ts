/** The help of a command: usage, description, flags in groups, and notes. */
import type { Command, Flag } from '../command.ts'

/** Maximum line length of the help: that of the terminal, but at most 120. */
export function helpWidth(): number {
  return Math.min(process.stdout.columns || 120, 120)
}

/** Maximum width of the column of flags. The text of a longer flag starts on the next line. */
const maxFlagWidth = 36

export function helpText({ usage, description, flags, notes = '' }: Command, width: number): string {
  const usageLines = usage.split('\n').map((line, index) => `${index === 0 ? 'Usage: ' : '       '}nomen ${line}`)
  const paragraphs = [
    usageLines.join('\n'),
    wrapParagraphs(description, width),
    flagHelp(flags, width),
    wrapParagraphs(notes, width),
  ]
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')
}

/** Wraps the paragraphs of a help text. Indented lines stay as they are. */
export function wrapParagraphs(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((paragraph) => (paragraph.startsWith(' ') ? paragraph : wrapLine(paragraph, width).join('\n')))
    .join('\n\n')
}

/** Splits a string into lines of at most `width` characters. */
export function wrapLine(text: string, width: number): readonly string[] {
  const lines: string[] = ['']
  for (const word of text.split(/[ \n]/)) {
    const line = lines.at(-1) as string
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Flags by group, in order. Flags without a group have no heading. */
export function flagGroups(flags: readonly Flag[]): ReadonlyMap<string | undefined, readonly Flag[]> {
  return Map.groupBy(flags, ({ group }) => group)
}

/** `--port <number>`. */
export function flagUsage({ name, value }: Flag): string {
  return `--${name}${value === undefined ? '' : ` <${value}>`}`
}

function flagHelp(flags: readonly Flag[], width: number): string {
  const flagWidth = Math.min(maxFlagWidth, Math.max(0, ...flags.map((flag) => flagUsage(flag).length + 4)))
  return [...flagGroups(flags)]
    .map(([group, members]) => {
      const lines = members.map((flag) => flagLines(flag, flagWidth, width))
      return [...(group === undefined ? [] : [group]), ...lines].join('\n')
    })
    .join('\n\n')
}

function flagLines(flag: Flag, flagWidth: number, width: number): string {
  const usage = `  ${flagUsage(flag)}`
  const lines = wrapLine(`${flag.about}${flag.environment ? ` (${flag.environment})` : ''}`, width - flagWidth)
  const indent = `\n${' '.repeat(flagWidth)}`
  const start = usage.length + 2 <= flagWidth ? usage.padEnd(flagWidth) : `${usage}${indent}`
  return `${start}${lines.join(indent)}`
}
