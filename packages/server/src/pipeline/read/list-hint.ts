/** Hints for list parameters with an invalid value. */
import { type EqualParameter, type ListParameter, readText } from '@nomen/core'
import { cut } from '../../foundation/quoted.ts'

/** Parameters that are repeated for several values. */
const repeatable: readonly ListParameter['kind'][] = ['equal', 'recorded', 'include', 'sort']

/** Advice for a parameter with an invalid value. */
export function listHint(
  parameter: ListParameter,
  texts: readonly string[],
  all: readonly ListParameter[],
): string | undefined {
  const { kind, name } = parameter
  const commaText = texts.find((text) => text.includes(','))
  if (commaText !== undefined && repeatable.includes(kind)) return repeatHint(name, commaText.split(','))
  if (kind === 'equal') return wholeDayHint(parameter, texts, all)
  if (kind !== 'sort') return undefined
  const names = [...parameter.fields.keys()]
  return `Sort by ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, with "-" in front for descending order.`
}

const dayMs = 86_400_000

/** A date does not equal a timestamp. Its day is a range, if the list has one for the field. */
function wholeDayHint(
  { spec, fields: [field = ''] }: EqualParameter,
  texts: readonly string[],
  all: readonly ListParameter[],
): string | undefined {
  const day = texts.find(isDate)
  if (spec.kind !== 'timestamp' || day === undefined) return undefined
  const ranges = all.filter((parameter) => parameter.kind === 'range')
  const bounds = ranges.filter(({ fields }) => fields.includes(field))
  const [range] = bounds
  const nextDay = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
  const parameters = bounds
    .filter((parameter) => parameter.range === range?.range)
    .map(({ name, bound }) => ({ name, value: bound === 'from' ? day : nextDay }))
    // The last day of the calendar has no next one.
    .filter(({ value }) => isDate(value))
  if (parameters.length === 0) return undefined
  return `For a whole day, use ${parameters.map(({ name, value }) => `${name}=${value}`).join('&')}.`
}

function isDate(text: string): boolean {
  return 'value' in readText({ kind: 'date' }, text)
}

/** The maximum number of values in a hint. */
const maxShown = 3

function repeatHint(name: string, values: readonly string[]): string {
  const examples = values
    .slice(0, maxShown)
    .map((value) => `${name}=${encodeURIComponent(cut(value.trim()).toWellFormed())}`)
  const moreText = values.length > maxShown ? '&…' : ''
  return `Repeat the parameter for several values: ${examples.join('&')}${moreText}`
}
