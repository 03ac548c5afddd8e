/** Reads flags that have few allowed values. */
import type { Arguments } from '../command.ts'
import { alternatives, invalidValue } from '../command-error.ts'

/** The value of a flag, if it is one of the choices; the default if the flag is not set. */
export function choiceOf<Choice extends string, Default extends Choice | undefined>(
  args: Arguments,
  flag: string,
  choices: readonly Choice[],
  defaultChoice: Default,
): Choice | Default {
  const text = args.text(flag)
  if (text === undefined) return defaultChoice
  const choice = choices.find((name) => name === text)
  if (choice !== undefined) return choice
  throw invalidValue(args.source(flag), text, alternatives(choices))
}

export function isOn(args: Arguments, flag: string, defaultChoice: 'on' | 'off'): boolean {
  return choiceOf(args, flag, ['on', 'off'], defaultChoice) === 'on'
}
