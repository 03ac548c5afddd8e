/** Names that examples of docs/client.md refer to. */
import { client } from '@nomen/core/client'
import type { directory } from '@nomen/directory'

export { type Client, etagOf, invalidateOnChange, ProblemError, type ShapesOf } from '@nomen/core/client'
export { directory } from '@nomen/directory'
export const api = client<typeof directory>({ baseUrl: 'https://people.example.com' })
export declare const email: string
export declare const show: (message: string, hint: string | undefined) => void
export declare const highlight: (pointer: string | undefined, detail: string) => void
export declare const report: (status: number, requestId: string | undefined) => void
export declare const queryClient: { invalidateQueries(options: { queryKey: readonly unknown[] }): Promise<void> }
export declare const userQueries: (of: typeof api) => { readonly all: readonly ['user'] }
