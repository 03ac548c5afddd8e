/** The commands of a block, each with the output that the block shows. */

export interface ShownCommand {
  readonly text: string
  /** In a `console` block: the lines below the command. */
  readonly output?: string
}

/** A `sh` block contains only commands. In a `console` block they follow `$ `, and the other lines are their output. */
export function commandsOf(language: string, code: string): readonly ShownCommand[] {
  return language === 'console' ? consoleCommands(code) : joinLines(code.split('\n')).map((text) => ({ text }))
}

function consoleCommands(code: string): readonly ShownCommand[] {
  const parts = code.split(/^\$ /m)
  if (parts.shift() !== '') throw new Error('A console block must start with a command after "$ ".')
  return parts.map((part) => {
    const lines = part.split('\n')
    const [text = ''] = joinLines(lines)
    const output = lines.slice(text.split('\n').length).join('\n')
    return output.trim() === '' ? { text } : { text, output }
  })
}

/** Joins the lines of a command that continues after a backslash or within quotes. */
function joinLines(lines: readonly string[]): readonly string[] {
  const commands: string[] = []
  let command = ''
  for (const line of lines) {
    command += command === '' ? line : `\n${line}`
    if (isOpen(command)) continue
    if (command.trim() !== '' && !command.trim().startsWith('#')) commands.push(command)
    command = ''
  }
  if (command.trim() !== '') commands.push(command)
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
