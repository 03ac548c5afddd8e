/** The context of every view: the service, its connection, and short messages. */
import { createContext, useContext } from 'react'
import type { ChangeFeeds } from '../http/change-feed.ts'
import type { HttpClient } from '../http/http-client.ts'
import type { Service } from '../model/service/service.ts'

export interface Message {
  readonly text: string
  readonly tone?: 'success' | 'error'
  /** Something that can be done about it. */
  readonly action?: { readonly title: string; readonly run: () => void }
}

export interface Console {
  readonly service: Service
  readonly http: HttpClient
  readonly feeds: ChangeFeeds
  /** The URL of the API reference; undefined if there is none. */
  readonly docs: string | undefined
  notify(message: Message): void
}

export const ConsoleContext = createContext<Console | undefined>(undefined)

export function useConsole(): Console {
  const context = useContext(ConsoleContext)
  if (!context) throw new Error('useConsole must be called below ConsoleContext.')
  return context
}
