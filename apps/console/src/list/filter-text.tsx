/** The text of an active filter. */

import { format, text } from '../language/language.ts'
import type { Filter } from '../model/list/filter.ts'
import { type Collection, rootOf } from '../model/service/service.ts'
import { choiceTitle } from '../model/words.ts'
import { useOptions } from '../record/reference-options.ts'
import { useConsole } from '../wire/console-context.ts'

interface FilterTextProps {
  readonly collection: Collection
  readonly filter: Filter
  readonly query: URLSearchParams
}

export function FilterText({ collection, filter, query }: FilterTextProps) {
  const { service } = useConsole()
  const { field, names, isRange, defaults, title } = filter
  const [first, second] = names
  if (isRange) {
    const [from, to] = [first && query.get(first), second && query.get(second)].map(
      (bound) => bound && shortTime(bound),
    )
    const zone = field.kind === 'timestamp' && (from || to) ? text().common.utc : undefined
    const { from: after, before } = text().list
    const range = [from && after(from), to && before(to), zone].filter(Boolean).join(' ')
    return <FilterLabel title={title} value={range} />
  }
  const values = query.getAll(first as string)
  const target =
    field.kind === 'reference' && field.reference ? rootOf(service, collection.api, field.reference) : undefined
  if (values.length > 0 && target) return <ReferenceLabel title={title} target={target} values={values} />
  const applied = values.length > 0 ? values : (defaults ?? []).map(String)
  const value = text().list.or(applied.map((value) => shownValue(filter, value)))
  return <FilterLabel title={title} value={values.length === 0 && defaults ? text().list.byDefault(value) : value} />
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

function FilterLabel({ title, value }: { readonly title: string; readonly value: string }) {
  return (
    <>
      {title}
      {value && <span className="filter-value">{value}</span>}
    </>
  )
}

function shownValue({ field }: Filter, value: string): string {
  if (value === '') return field.isNullable ? text().common.valueNone : text().list.emptyText
  if (field.kind === 'boolean') return value === 'true' ? text().common.valueYes : text().common.valueNo
  return field.kind === 'choice' ? choiceTitle(value, field.choices) : value
}

/** The date alone if the time is midnight. */
function shortTime(value: string): string {
  const { day, time } = format()
  return /T(?!00:00(:00(\.000)?)?Z$)/.test(value) ? `${day(value)} ${time(value)}` : day(value)
}
