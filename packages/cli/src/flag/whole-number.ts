/** Reads numbers from flags. */
import type { Arguments } from '../command.ts'
import { CommandError } from '../command-error.ts'

/** The value of a flag that takes a whole number within bounds. */
export function wholeNumber(
  args: Arguments,
  flag: string,
  usual: number,
  [minimum, maximum]: readonly [number, number],
): number {
  const text = args.text(flag)
  if (text === undefined) return usual
  if (/^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum) return Number(text)
  throw new CommandError(`${args.source(flag)} is "${text}".`, `Give a whole number from ${minimum} to ${maximum}.`)
}
