/** The import of a list: its dialog, and the state of the buttons that open it. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useRefusal } from '../http/use-refusal.ts'
import type { Collection } from '../model/service/service.ts'

const ImportDialog = lazy(() => import('./import/import-dialog.tsx'))

export interface ListImport {
  open(): void
  /** The reason why the token does not allow to create records. */
  readonly refusal: string | undefined
}

interface ImportOptions {
  readonly collection: Collection
  /** The collection that imported records are created in. */
  readonly writeCollection: Collection
  readonly ids: readonly string[]
}

/** Without an import if records cannot be created. */
export function useImport({ collection, writeCollection, ids }: ImportOptions): {
  readonly listImport: ListImport | undefined
  readonly importDialog: ReactNode
} {
  const [isOpen, setOpen] = useState(false)
  const { create } = writeCollection.operations
  const refusal = useRefusal()(writeCollection.api, create)
  return {
    listImport: create && { open: () => setOpen(true), refusal },
    importDialog: isOpen && (
      <Suspense>
        <ImportDialog {...{ collection, writeCollection, ids }} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  }
}
