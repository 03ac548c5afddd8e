/** The commands of a block, one by one, each with what the block shows of it. */

export interface ShownCommand {
  readonly text: string
  /** In a `console` block: the lines below the command. */
  readonly output?: string
}

/** A `sh` block holds commands alone. In a `console` block they stand behind `$ `, the rest is what they say. */
export function commandsOf(language: string, code: string): readonly ShownCommand[] {
  return language === 'console' ? spoken(code) : whole(code.split('\n')).map((text) => ({ text }))
}

function spoken(code: string): readonly ShownCommand[] {
  const parts = code.split(/^\$ /m)
  if (parts.shift() !== '') throw new Error('A console block begins with a command behind "$ ".')
  return parts.map((part) => {
    const lines = part.split('\n')
    const [text = ''] = whole(lines)
    const rest = lines.slice(text.split('\n').length).join('\n')
    return rest.trim() === '' ? { text } : { text, output: rest }
  })
}

/** Lines that belong together stay together: behind a backslash, and within quotes. */
function whole(lines: readonly string[]): readonly string[] {
  const commands: string[] = []
  let begun = ''
  for (const line of lines) {
    begun += begun === '' ? line : `\n${line}`
    if (isOpen(begun)) continue
    if (begun.trim() !== '' && !begun.trim().startsWith('#')) commands.push(begun)
    begun = ''
  }
  if (begun.trim() !== '') commands.push(begun)
  return commands
}

function isOpen(text: string): boolean {
  let quote = ''
  for (const [sign] of text.replace(/(^|\s)#.*$/gm, '').matchAll(/\\.|["']/gs)) {
    if (quote === '' && sign.length === 1) quote = sign
    else if (sign === quote) quote = ''
  }
  return quote !== '' || text.endsWith('\\')
}
