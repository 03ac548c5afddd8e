/** Names that examples of several pages refer to. */
import { identity, noun, text } from '@nomen/core'
import { directoryService } from '@nomen/directory'

export { department, directory, role, user } from '@nomen/directory'
export { pino } from 'pino'
export const service = directoryService()
export const database = 'sqlite:data/desk.db'
export const order = noun('order', { id: identity(), labels: text() })
export declare const records: (count: number, noun: string) => string
