/** Shows the dialogs that create referenced records, the last one on top. */
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { type Creation, CreationContext } from './creation.ts'

const CreateDialog = lazy(() => import('./create-dialog.tsx'))

export function CreationProvider({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<readonly (Creation & { readonly id: number })[]>([])
  const create = useCallback((creation: Creation) => {
    setOpen((before) => [...before, { ...creation, id: (before.at(-1)?.id ?? 0) + 1 }])
  }, [])
  return (
    <CreationContext value={create}>
      {children}
      {open.map(({ id, ...creation }) => (
        <Suspense key={id}>
          <CreateDialog
            creation={creation}
            isTop={id === open.at(-1)?.id}
            onClose={() => setOpen((before) => before.filter((other) => other.id !== id))}
          />
        </Suspense>
      ))}
    </CreationContext>
  )
}
