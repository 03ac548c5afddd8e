/** Completion for zsh. */
import type { Flag } from '../command.ts'
import { type Completed, helpFlag } from './completed.ts'

export function zshScript(commands: readonly Completed[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}\n`)
  return `#compdef nomen
# Completion of nomen for zsh, made by: nomen completion zsh
_nomen() {
  local -a commands=(
${described.join('')}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
    help) _describe command commands ;;
${commands.map(commandCase).join('')}  esac
}
# Found by its name, this file is the function; read by hand, it defines it.
if [[ $funcstack[1] == _nomen ]]; then _nomen "$@"; else compdef _nomen nomen; fi
`
}

function commandCase({ name, flags, words }: Completed): string {
  const parts = [...flags, helpFlag].map((flag) => quoted(flagPart(flag)))
  const rest = words.length > 0 ? `*:word:(${words.join(' ')})` : '*:file:_files'
  return `    ${name}) _arguments ${[...parts, quoted(rest)].join(' ')} ;;\n`
}

/** `--port=[port to listen on]:number:`; brackets and colons have a meaning of their own. */
function flagPart({ name, value, about, choices }: Flag): string {
  const told = about.replace(/[[\]:\\]/g, '\\$&')
  if (value === undefined) return `--${name}[${told}]`
  return `--${name}=[${told}]:${value.replaceAll(':', ' ')}:${choices ? `(${choices.join(' ')})` : '_files'}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
