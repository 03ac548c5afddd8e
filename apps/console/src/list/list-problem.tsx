/** The problem of a list. Parameters that the list does not have can be removed at once. */
import { Button } from '@mantine/core'
import { text } from '../language/language.ts'
import { otherParameters, withoutParameters } from '../model/list/query.ts'
import { problemOf } from '../model/service/problem.ts'
import type { Variant } from '../model/service/service.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'

interface ListProblemProps {
  readonly error: unknown
  readonly variant: Variant
  readonly query: URLSearchParams
  /** The rows of an earlier response are still shown. */
  readonly hasRows: boolean
  onChange(query: URLSearchParams): void
  onRetry(): void
}

export function ListProblem({ error, variant, query, hasRows, onChange, onRetry }: ListProblemProps) {
  const unknown = problemOf(error).status === 400 ? otherParameters(variant.filters, query) : []
  const removable = unknown.filter((name) => name !== 'include' || !variant.hasInclude)
  const note = hasRows ? text().list.keptRows : undefined
  if (removable.length === 0) return <ProblemAlert error={error} note={note} onRetry={onRetry} />
  return (
    <ProblemAlert
      error={error}
      // The detail names the parameter, and so does the button.
      details={[]}
      actions={removable.map((name) => (
        <Button
          key={name}
          size="compact-xs"
          variant="default"
          onClick={() => onChange(withoutParameters(query, [name]))}
        >
          {text().filter.removeParameter(name)}
        </Button>
      ))}
    />
  )
}
