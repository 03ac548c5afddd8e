/** What every view works with: the service, the wire to it, and a place for short messages. */
import { createContext, useContext } from 'react'
import type { Service } from '../model/service/service.ts'
import type { Wire } from './wire.ts'

export interface Message {
  readonly text: string
  readonly tone?: 'good' | 'bad'
  /** Something that can be done about it. */
  readonly action?: { readonly title: string; readonly run: () => void }
}

export interface Console {
  readonly service: Service
  readonly wire: Wire
  say(message: Message): void
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

export function useConsole(): Console {
  const found = useContext(ConsoleContext)
  if (!found) throw new Error('There is no console around this view.')
  return found
}
