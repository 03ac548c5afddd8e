/** Creates, changes and deletes saved views: private ones in this browser, shared ones at the service. */
import { createRecord } from '../http/create-record.ts'
import { useInvalidate } from '../http/queries.ts'
import { recordFrom } from '../http/response-body.ts'
import { useIdempotencyKeys } from '../http/use-idempotency-keys.ts'
import { useRefusal } from '../http/use-refusal.ts'
import { text } from '../language/language.ts'
import {
  type SavedView,
  sharedView,
  sharedViewBody,
  sharedViewCollection,
  sharedViewFrom,
} from '../model/list/saved-view.ts'
import { recordPath } from '../model/route.ts'
import { problemOf } from '../model/service/problem.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { privateViews } from '../state/private-views.ts'

type Content = Pick<SavedView, 'name' | 'address'>

export interface ViewChanges {
  /** Undefined if the service does not keep views. */
  readonly sharing: { readonly refusal: string | undefined } | undefined
  /** The reason why the token does not allow to change or delete a view. */
  refusalOf(view: SavedView, kind: 'update' | 'delete'): string | undefined
  add(content: Content, isShared: boolean): Promise<SavedView>
  /** Fails if someone else has changed a shared view since this page read it. */
  change(view: SavedView, values: Partial<Content>): Promise<void>
  remove(view: SavedView): Promise<void>
}

export function useViewChanges(list: Collection): ViewChanges {
  const { service, http } = useConsole()
  const invalidate = useInvalidate()
  const refusalOf = useRefusal()
  const idempotencyKeys = useIdempotencyKeys()
  const keeper = sharedViewCollection(service, list.api)
  const share = async (collection: Collection, content: Content): Promise<SavedView> => {
    const body = sharedViewBody(content)
    const { path } = collection
    const record = await createRecord(http, { collection, path, body, idempotencyKey: idempotencyKeys.keyOf(body) })
    idempotencyKeys.reset()
    await invalidate(collection)
    return sharedView(collection, list, { ...body, ...record })
  }
  return {
    sharing: keeper?.operations.create && { refusal: refusalOf(keeper.api, keeper.operations.create) },
    refusalOf: ({ shared }, kind) => shared && refusalOf(shared.collection.api, shared.collection.operations[kind]),
    add: async (content, isShared) =>
      isShared && keeper ? share(keeper, content) : privateViews.add(list, content.name, content.address),
    change: async (view, values) => {
      if (!view.shared) return privateViews.change(view.id, values)
      const { collection, id } = view.shared
      const conflict = new Error(text().view.conflict(view.name))
      const request = { base: collection.api.base, path: recordPath(collection, [id]) }
      try {
        const current = await http.send({ ...request, method: 'GET' })
        const stored = sharedViewFrom(service, collection, recordFrom(collection, current.body))
        if (stored?.name !== view.name || stored.address !== view.address) throw conflict
        await http.send({
          ...request,
          method: 'PATCH',
          body: sharedViewBody({ ...view, ...values }),
          ...(current.etag !== undefined && { headers: { 'if-match': current.etag } }),
        })
      } catch (error) {
        throw problemOf(error).status === 412 ? conflict : error
      } finally {
        await invalidate(collection)
      }
    },
    remove: async (view) => {
      if (!view.shared) return privateViews.remove(view.id)
      const { collection, id } = view.shared
      await http.send({ base: collection.api.base, method: 'DELETE', path: recordPath(collection, [id]) })
      await invalidate(collection)
    },
  }
}
