/** The text of an active filter. */

import { format, text } from '../../language/language.ts'
import type { Filter } from '../../model/list/filter.ts'
import { isPreset, presetStart } from '../../model/list/preset.ts'
import { type Collection, rootOf } from '../../model/service/service.ts'
import { choiceTitle } from '../../model/title.ts'
import { useOptions } from '../../record/reference/reference-options.ts'
import { useConsole } from '../../state/console-context.ts'

interface FilterTextProps {
  readonly collection: Collection
  readonly filter: Filter
  readonly query: URLSearchParams
}

export function FilterText({ collection, filter, query }: FilterTextProps) {
  const { service } = useConsole()
  const { field, exact = '', range, defaults, title } = filter
  const bounds = [range?.from, range?.to].map((name) =>
    name === undefined ? undefined : (query.get(name) ?? undefined),
  )
  if (bounds.some((bound) => bound !== undefined))
    return <FilterLabel title={title} value={rangeText(filter, bounds)} />
  const values = query.getAll(exact)
  const target =
    field.kind === 'reference' && field.reference ? rootOf(service, collection.api, field.reference) : undefined
  if (values.length > 0 && target) return <ReferenceLabel title={title} target={target} values={values} />
  const applied = values.length > 0 ? values : (defaults ?? []).map(String)
  const value = text().list.or(applied.map((value) => shownValue(filter, value)))
  return <FilterLabel title={title} value={values.length === 0 && defaults ? text().list.byDefault(value) : value} />
}

function rangeText({ field }: Filter, [from, to]: readonly (string | undefined)[]): string {
  if (isPreset(from) && to === undefined) return text().filter.presetValue[from]
  const start = isPreset(from) ? presetStart(from, field.kind) : from
  const { from: fromText, before } = text().list
  const isDay = field.kind === 'timestamp' || field.kind === 'date'
  const end = to && (isDay ? before(shortTime(to)) : text().filter.to(to))
  return [start && fromText(shortTime(start)), end, field.kind === 'timestamp' && text().common.utc]
    .filter(Boolean)
    .join(' ')
}

function ReferenceLabel({
  title,
  target,
  values,
}: {
  readonly title: string
  readonly target: Collection
  readonly values: readonly string[]
}) {
  const { options } = useOptions({ target, search: '', selected: values.filter((id) => id !== '') })
  const names = values.map((id) =>
    id === '' ? text().common.valueNone : (options.find(({ value }) => value === id)?.label ?? id),
  )
  return <FilterLabel title={title} value={text().list.or(names)} />
}

/** A property in regular and its value in bold letters. */
export function FilterLabel({ title, value }: { readonly title: string; readonly value: string }) {
  return (
    <>
      {title} {value && <span className="filter-value">{value}</span>}
    </>
  )
}

function shownValue({ field }: Filter, value: string): string {
  if (value === '') return field.isNullable ? text().common.valueNone : text().list.emptyText
  if (field.kind === 'boolean') return value === 'true' ? text().common.valueYes : text().common.valueNo
  if (field.kind === 'timestamp' || field.kind === 'date') return shortTime(value)
  return field.kind === 'choice' ? choiceTitle(value, field.choices) : value
}

/** The date alone if the time is midnight. */
function shortTime(value: string): string {
  const { day, time } = format()
  return /T(?!00:00(:00(\.000)?)?Z$)/.test(value) ? `${day(value)} ${time(value)}` : day(value)
}
