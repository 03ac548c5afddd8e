/** The interface of a command, and the parser of its arguments. The help is in `output/help.ts`. */
import { nearest } from '@nomen/core'
import { CommandError } from './command-error.ts'
import { environmentValue } from './environment.ts'

export interface Command {
  readonly name: string
  readonly flags: readonly Flag[]
  /** The command line, such as `export <noun> [file]`; one line for each form. */
  readonly usage: string
  /** Paragraphs of the help before the flags. Indented lines are printed as they are. */
  readonly description: string
  /** Paragraphs after the flags. */
  readonly notes?: string
  run(arguments_: readonly string[]): Promise<void>
}

/** A command that is loaded on demand. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** A flag with its environment variable and its line of the help. */
export interface Flag {
  readonly name: string
  readonly environment?: string
  /** Name of the value in the help; a flag without a value is a switch. */
  readonly value?: string
  /** All allowed values, if they are few. */
  readonly choices?: readonly string[]
  readonly about: string
  /** The heading of the help under which the flag is listed. */
  readonly group?: string
}

/** Puts flags under one heading of the help. */
export function inGroup(group: string, flags: readonly Flag[]): readonly Flag[] {
  return flags.map((flag) => ({ ...flag, group }))
}

export interface Arguments {
  readonly positionals: readonly string[]
  /** The value of a flag, from the command line or else from the environment. */
  readonly text: (flag: string) => string | undefined
  readonly isOn: (flag: string) => boolean
  /** The source of a flag's value, for messages: `--port`, or the variable `PORT`. */
  readonly source: (flag: string) => string
}

/** The default positional arguments. */
const serviceOnly = ['service file or folder']

/**
 * Reads `--flag value`, `--flag=value` and the positional arguments, which include `-` and everything after `--`.
 * `positionalNames` are their names in messages. The error of an unknown flag suggests a similar one.
 */
export function readArguments(
  flags: readonly Flag[],
  words: readonly string[],
  positionalNames: readonly string[] | 'any' = serviceOnly,
): Arguments {
  const flagsByName = new Map(flags.map((flag) => [`--${flag.name}`, flag]))
  const values = new Map<string, string>()
  const positionals: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string
    if (word === '--') {
      positionals.push(...words.slice(index + 1))
      break
    }
    if (word === '-' || !word.startsWith('-')) {
      positionals.push(word)
      continue
    }
    const [name = '', inlineValue] = splitOnce(word)
    const flag = flagsByName.get(name)
    if (!flag) throw unknownFlag(name, flagsByName.keys())
    if (flag.value === undefined) {
      if (inlineValue !== undefined) throw unexpectedValue(name, inlineValue)
      values.set(flag.name, 'true')
      continue
    }
    const value = inlineValue ?? valueAt(words, ++index)
    if (value === undefined) throw new CommandError(`${name} needs a value.`, `Write ${name} <${flag.value}>.`)
    values.set(flag.name, value)
  }
  if (positionalNames !== 'any') {
    const extra = positionals[positionalNames.length]
    if (extra !== undefined) throw unexpectedArgument(extra, positionalNames)
  }
  const variableOf = (name: string) => flags.find((flag) => flag.name === name)?.environment
  const fromEnvironment = (name: string) => {
    const environment = variableOf(name)
    return environment === undefined ? undefined : environmentValue(environment)
  }
  return {
    positionals,
    text: (name) => values.get(name) || fromEnvironment(name),
    isOn: (name) => values.has(name),
    source: (name) => (values.get(name) ? `--${name}` : (variableOf(name) ?? `--${name}`)),
  }
}

function splitOnce(word: string): readonly string[] {
  const equals = word.indexOf('=')
  return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
}

function unexpectedArgument(extra: string, names: readonly string[]): CommandError {
  const expected = names.map((name) => `<${name}>`).join(' ')
  return new CommandError(
    `Unexpected argument "${extra}".`,
    names.length === 0 ? 'The command takes no arguments, only flags. --help lists them.' : `Expected: ${expected}`,
  )
}

function unknownFlag(name: string, knownNames: Iterable<string>): CommandError {
  const suggestion = nearest(name, knownNames)
  return new CommandError(
    `Unknown flag ${name}.${suggestion ? ` Did you mean ${suggestion}?` : ''}`,
    '--help lists all flags.',
  )
}

/** The next word, unless it is a flag. */
function valueAt(words: readonly string[], index: number): string | undefined {
  const word = words[index]
  return word?.startsWith('--') ? undefined : word
}

function unexpectedValue(name: string, value: string): CommandError {
  return new CommandError(`${name} takes no value.`, `Remove "=${value}".`)
}
