/** Completion for bash. */
import { type Completed, helpFlag } from './completed.ts'

export function bashScript(commands: readonly Completed[]): string {
  const names = [...commands.map(({ name }) => name), 'help', '--help', '--version']
  return `# Completion of nomen for bash, made by: nomen completion bash
_nomen() {
  local command=\${COMP_WORDS[1]} word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words=
  # bash takes an equals sign for a word of its own
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)) || { ((COMP_CWORD == 2)) && [[ $command == help ]]; }; then
    COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$word"))
    return
  fi
  case "$command $before" in
${commands.flatMap(valueCases).join('')}  esac
  case "$command" in
${commands.map(wordCase).join('')}  esac
}
complete -o default -F _nomen nomen
`
}

/** Behind a flag that takes a value stands that value: one of few, or anything, for which bash offers files. */
function valueCases({ name, flags }: Completed): readonly string[] {
  return flags
    .filter(({ value }) => value !== undefined)
    .map(({ name: flag, choices }) => {
      const offer = choices ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); ` : ''
      return `    '${name} --${flag}') ${offer}return ;;\n`
    })
}

function wordCase({ name, flags, words }: Completed): string {
  const all = [...flags, helpFlag].map((flag) => `--${flag.name}`).join(' ')
  const others = words.length > 0 ? ` || words='${words.join(' ')}'` : ''
  return `    ${name}) [[ $word == -* ]] && words='${all}'${others}; COMPREPLY=($(compgen -W "$words" -- "$word")) ;;\n`
}
