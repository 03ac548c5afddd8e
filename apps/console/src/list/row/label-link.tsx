/** The label of a reference as a link, in a list without the ID of the referenced record. Only the record in the row has that ID. */
import { useQueryClient } from '@tanstack/react-query'
import { recordQuery } from '../../http/queries.ts'
import { addressOf } from '../../model/list/query.ts'
import { referenceParameter, referencePath } from '../../model/record/reference-path.ts'
import { routeOf } from '../../model/route.ts'
import { useConsole } from '../../state/console-context.ts'
import { router } from '../../state/router.ts'
import { useAttempt } from '../../state/use-attempt.ts'
import { Link } from '../../view/link.tsx'

interface LabelLinkProps {
  /** The path of the record in the row. */
  readonly path: string
  /** The name of the field. */
  readonly name: string
  readonly label: string
}

/** A new tab opens the record in the row, and goes on to the referenced one. */
export function LabelLink({ path, name, label }: LabelLinkProps) {
  const { service, http } = useConsole()
  const queries = useQueryClient()
  const attempt = useAttempt()
  const open = () =>
    attempt(async () => {
      const route = routeOf(service, path)
      if (route.kind !== 'record') return
      const { collection, ids } = route
      const { record } = await queries.fetchQuery(recordQuery(http, collection, ids))
      // Without an ID, the record in the row tells why.
      router.openRecord(referencePath(service, collection, record, name) ?? path)
    })
  return (
    <Link to={addressOf(path, new URLSearchParams({ [referenceParameter]: name }))} go={open} size="sm">
      {label}
    </Link>
  )
}
