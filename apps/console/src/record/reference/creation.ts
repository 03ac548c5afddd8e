/** Asks the page for a dialog that creates a record, for a field that references it. */
import { createContext, useContext } from 'react'
import type { Collection } from '../../model/service/service.ts'
import type { FormLevel } from '../../state/form-level.ts'

export interface Creation {
  readonly target: Collection
  /** The text that was typed to find the record. */
  readonly typed: string
  /** The form that references the record. */
  readonly form: FormLevel
  onCreated(id: string): void
}

export const CreationContext = createContext<(creation: Creation) => void>(() => {})

export function useCreation(): (creation: Creation) => void {
  return useContext(CreationContext)
}
