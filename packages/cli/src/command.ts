/** What every command is, and how it reads its flags. */
import { nearest } from '@nomen/core'
import { CommandError } from './command-error.ts'

export interface Command {
  readonly name: string
  readonly flags: readonly Flag[]
  readonly help: string
  run(arguments_: readonly string[]): Promise<void>
}

/** A command by its name, and how it is found: it is loaded when it is called. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly find: () => Promise<Command>
}

/** A flag, the variable that stands for it in the environment, and what the help says of it. */
export interface Flag {
  readonly name: string
  readonly environment?: string
  /** What the value is called in the help; a flag without one is on or off. */
  readonly value?: string
  /** The values that it takes, where they are few. */
  readonly choices?: readonly string[]
  readonly about: string
}

export interface Arguments {
  readonly positionals: readonly string[]
  /** The value of a flag: from the command line, else from the environment. */
  readonly text: (flag: string) => string | undefined
  readonly isOn: (flag: string) => boolean
  /** Where the value of a flag came from: `--port`, or the variable `PORT`. */
  readonly source: (flag: string) => string
}

/** What stands on the command line without a flag, in its order; the service file unless said otherwise. */
const serviceOnly = ['service file or folder']

/**
 * Reads `--flag value`, `--flag=value` and at most as many other words as have a name here; `-` is one of these. An
 * unknown flag is refused with the nearest one.
 */
export function readArguments(
  flags: readonly Flag[],
  given: readonly string[],
  words: readonly string[] | 'any' = serviceOnly,
): Arguments {
  const known = new Map(flags.map((flag) => [`--${flag.name}`, flag]))
  const found = new Map<string, string>()
  const positionals: string[] = []
  for (let index = 0; index < given.length; index++) {
    const word = given[index] as string
    if (word === '-' || !word.startsWith('-')) {
      positionals.push(word)
      continue
    }
    const [name = '', inline] = splitOnce(word)
    const flag = known.get(name)
    if (!flag) refuseFlag(name, known.keys())
    if (flag.value === undefined) {
      if (inline !== undefined) refuseValue(name, inline)
      found.set(flag.name, 'true')
    } else found.set(flag.name, inline ?? valueAt(given, ++index) ?? missingValue(name, flag.value))
  }
  const extra = words === 'any' ? undefined : positionals[words.length]
  if (extra !== undefined && words !== 'any')
    throw new CommandError(`"${extra}" is one name too many.`, `Give one ${words.join(', one ')}.`)
  const variableOf = (name: string) => flags.find((flag) => flag.name === name)?.environment
  const fromEnvironment = (name: string) => {
    const environment = variableOf(name)
    const text = environment === undefined ? undefined : process.env[environment]
    return text === '' ? undefined : text
  }
  return {
    positionals,
    text: (name) => found.get(name) || fromEnvironment(name),
    isOn: (name) => found.has(name),
    source: (name) => (found.has(name) ? `--${name}` : (variableOf(name) ?? `--${name}`)),
  }
}

/** How wide a line of the help may be. */
export const helpWidth = 120

/** The part of a command's help that lists its flags. */
export function flagHelp(flags: readonly Flag[]): string {
  const left = flags.map(({ name, value }) => `  --${name}${value ? ` <${value}>` : ''}`)
  const width = Math.max(...left.map((text) => text.length)) + 2
  return flags
    .map(({ about, environment }, index) => {
      const lines = wrapped(`${about}${environment ? ` (${environment})` : ''}`, helpWidth - width)
      return `${left[index]?.padEnd(width)}${lines.join(`\n${' '.repeat(width)}`)}`
    })
    .join('\n')
}

/** A text in lines of at most so many characters. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

function splitOnce(word: string): readonly string[] {
  const equals = word.indexOf('=')
  return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
}

function refuseFlag(name: string, known: Iterable<string>): never {
  const near = nearest(name, known)
  throw new CommandError(`There is no flag ${name}.${near ? ` Did you mean ${near}?` : ''}`, '--help lists them.')
}

/** The next word, unless it is a flag. */
function valueAt(given: readonly string[], index: number): string | undefined {
  const word = given[index]
  return word?.startsWith('--') ? undefined : word
}

function refuseValue(name: string, value: string): never {
  throw new CommandError(`${name} takes no value, and was given "${value}".`, `Write ${name}, or leave it out.`)
}

function missingValue(name: string, value: string): never {
  throw new CommandError(`${name} needs a value.`, `Give it as ${name} <${value}>.`)
}
