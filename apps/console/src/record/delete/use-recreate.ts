/**
 * Undoes a delete. If the service records the history, it restores the records. Otherwise they are created again, with new IDs and
 * without their children.
 */
import { forEachConcurrently } from '../../bulk/for-each-concurrently.ts'
import { useInvalidate } from '../../http/queries.ts'
import { recordFrom } from '../../http/response-body.ts'
import { text } from '../../language/language.ts'
import { problemText } from '../../model/advice.ts'
import { formOf } from '../../model/record/form.ts'
import { wholeBody } from '../../model/record/values.ts'
import { recordPath } from '../../model/route.ts'
import type { Json } from '../../model/service/openapi.ts'
import type { Collection } from '../../model/service/service.ts'
import { nounText } from '../../model/title.ts'
import { useConsole } from '../../state/console-context.ts'
import { router } from '../../state/router.ts'

export interface Deleted {
  /** The IDs of its path; the last one is its own. */
  readonly ids: readonly unknown[]
  readonly record: Json
}

/** The Undo action for the message after a delete; empty if the service cannot create records. */
export function useRecreate(
  writeCollection: Collection,
): (all: readonly Deleted[]) => { readonly action?: { readonly title: string; readonly run: () => void } } {
  const { http, notify } = useConsole()
  const invalidate = useInvalidate()
  const { operations, identity } = writeCollection
  const recreate = async (all: readonly Deleted[]) => {
    const created: { readonly old: Deleted; readonly id: unknown }[] = []
    const refused: string[] = []
    await forEachConcurrently(all, async (old) => {
      const oldPath = recordPath(writeCollection, old.ids)
      const path = operations.restore ? `${oldPath}/restoration` : oldPath.replace(/\/[^/]*$/, '')
      const body = operations.restore ? undefined : wholeBody(formOf(writeCollection, 'create').fields, old.record)
      const { base } = writeCollection.api
      try {
        const { body: responseBody } = await http.send({ base, method: 'POST', path, ...(body && { body }) })
        created.push({ old, id: recordFrom(writeCollection, responseBody)[identity] })
      } catch (error) {
        refused.push(`${old.ids.at(-1)}: ${problemText(error)}`)
      }
    })
    await invalidate(writeCollection)
    const [first] = created
    const { restored, restoredAll, restoredAs, restoredSeveral, restoreFailed } = text().record
    if (refused.length > 0) {
      notify({ text: restoreFailed(created.length, all.length, refused.join(' ')), tone: 'error' })
    } else if (first && all.length === 1) {
      const { old, id } = first
      const path = recordPath(writeCollection, [...old.ids.slice(0, -1), id])
      const action = { title: text().common.open, run: () => router.go(path) }
      const noun = nounText(writeCollection)
      const message = operations.restore
        ? restored(noun, id)
        : restoredAs(noun, id, old.ids.at(-1), childNouns(writeCollection))
      notify({ text: message, action })
    } else {
      const count = created.length
      notify({ text: operations.restore ? restoredAll(count) : restoredSeveral(count, childNouns(writeCollection)) })
    }
  }
  return (all) => {
    if (undoOf(writeCollection) === 'nothing' || all.length === 0) return {}
    return { action: { title: text().record.restore, run: () => recreate(all) } }
  }
}

/** The records that Undo can restore after a delete. */
function undoOf({ operations }: Collection): 'nothing' | 'new-records' | 'everything' {
  if (operations.restore) return 'everything'
  return operations.create ? 'new-records' : 'nothing'
}

/** The child records of a deleted record are deleted with it. Links only end. */
function childNouns({ children }: Collection): readonly string[] {
  return children.filter(({ operations }) => operations.create).map(nounText)
}

/** The warning before records are deleted. */
export function deleteWarning(writeCollection: Collection, count: number): string {
  return text().record.deleteWarning(undoOf(writeCollection), count)
}
