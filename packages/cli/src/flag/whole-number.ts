/** Reads whole numbers from flags. */
import type { Arguments } from '../command.ts'
import { invalidValue } from '../command-error.ts'

/** The value of a flag that is a whole number within limits; the default if the flag is not set. */
export function wholeNumber<Default extends number | undefined>(
  args: Arguments,
  flag: string,
  defaultValue: Default,
  [minimum, maximum]: readonly [number, number],
): number | Default {
  const text = args.text(flag)
  if (text === undefined) return defaultValue
  if (/^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum) return Number(text)
  throw invalidValue(args.source(flag), text, `a whole number from ${minimum} to ${maximum}`)
}
