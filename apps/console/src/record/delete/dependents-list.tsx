/** The records that a delete would affect, with their number. */
import { Skeleton, Text } from '@mantine/core'
import { text } from '../../language/language.ts'
import { addressOf, withHidden } from '../../model/list/query.ts'
import type { Collection } from '../../model/service/service.ts'
import { nounText } from '../../model/title.ts'
import { Link } from '../../view/link.tsx'
import { type CountedDependents, useDependents } from './use-dependents.ts'

interface DependentsListProps {
  readonly collection: Collection
  /** The IDs in the path of each record that is deleted. */
  readonly ids: readonly (readonly unknown[])[]
}

export function DependentsList({ collection, ids }: DependentsListProps) {
  const dependents = useDependents(collection, ids)
  const { dependentsTitle, noDependents } = text().record
  if (!dependents) return <Skeleton height={40} />
  const shown = dependents.filter(({ counted }) => counted?.count !== 0)
  if (shown.length === 0) return collection.parent ? null : <Text size="sm">{noDependents(ids.length)}</Text>
  return (
    <div>
      <Text size="sm">{dependentsTitle(ids.length)}</Text>
      <ul className="dependents">
        {shown.map((one) => (
          <li key={`${one.kind} ${one.noun} ${one.parameter}`}>
            <DependentsText dependents={one} ids={ids} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function DependentsText({
  dependents,
  ids,
}: Omit<DependentsListProps, 'collection'> & { dependents: CountedDependents }) {
  const { kind, counted, variant, field, parameter } = dependents
  const { atLeast, dependentRecords, ownedRecords, unknownLinks } = text().record
  const noun = nounText(dependents)
  if (!counted) return unknownLinks(noun)
  const { count, isMinimum } = counted
  const exactWords = kind === 'owned' ? ownedRecords(count, noun) : dependentRecords(count, noun, field)
  const words = isMinimum ? atLeast(exactWords) : exactWords
  if (kind !== 'reference' || parameter === undefined) return words
  const { query } = withHidden(variant.filters, new URLSearchParams(ids.map((path) => [parameter, `${path.at(-1)}`])))
  return (
    <Link to={addressOf(variant.path, query)} size="sm" underline="always">
      {words}
    </Link>
  )
}
