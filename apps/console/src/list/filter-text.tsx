/** A filter in force, in a few words. */
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
    const [from, to] = [first && query.get(first), second && query.get(second)].map((one) => one && shortMoment(one))
    const zone = field.kind === 'moment' && (from || to) ? 'UTC' : undefined
    const text = [from && `from ${from}`, to && `before ${to}`, zone].filter(Boolean).join(' ')
    return <Words title={title} text={text} />
  }
  const values = query.getAll(first as string)
  const target =
    field.kind === 'reference' && field.reference ? rootOf(service, collection.api, field.reference) : undefined
  if (values.length > 0 && target) return <Names title={title} target={target} values={values} />
  const told = values.length > 0 ? values : (defaults ?? []).map(String)
  const text = told.map((value) => shownValue(filter, value)).join(' or ')
  return <Words title={title} text={values.length === 0 && defaults ? `${text} (by default)` : text} />
}

function Names({
  title,
  target,
  values,
}: {
  readonly title: string
  readonly target: Collection
  readonly values: readonly string[]
}) {
  const { options } = useOptions({ target, search: '', kept: values.filter((one) => one !== '') })
  const text = values.map((one) => (one === '' ? 'none' : (options.find(({ value }) => value === one)?.label ?? one)))
  return <Words title={title} text={text.join(' or ')} />
}

function Words({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      {title}
      {text && <span className="filter-value">{text}</span>}
    </>
  )
}

function shownValue({ field }: Filter, value: string): string {
  if (value === '') return field.isNullable ? 'none' : 'empty'
  if (field.kind === 'boolean') return value === 'true' ? 'yes' : 'no'
  return field.kind === 'choice' ? choiceTitle(value) : value
}

/** A day where it is its beginning. */
function shortMoment(text: string): string {
  return text
    .replace(/T00:00(:00(\.000)?)?Z$/, '')
    .replace(/(:00\.000)?Z$/, '')
    .replace('T', ' ')
}
