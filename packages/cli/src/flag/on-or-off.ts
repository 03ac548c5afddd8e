/** Flags whose value is "on" or "off". */
import type { Arguments } from '../command.ts'
import { invalidValue } from '../command-error.ts'

export function isOn(args: Arguments, flag: string, usual: 'on' | 'off'): boolean {
  const text = args.text(flag) ?? usual
  if (text === 'on' || text === 'off') return text === 'on'
  throw invalidValue(args.source(flag), text, 'on or off')
}
