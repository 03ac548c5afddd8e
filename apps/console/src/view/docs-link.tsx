/** A link to an operation in the API reference. Renders nothing if the reference does not contain the operation. */
import { Anchor } from '@mantine/core'
import { text } from '../language/language.ts'
import { docsUrl } from '../model/docs-url.ts'
import { useConsole } from '../state/console-context.ts'

interface DocsLinkProps {
  /** The base URL of the operation's API. Without it, the operation may belong to any API. */
  readonly base?: string
  readonly method: string
  readonly path: string
}

export function DocsLink(operation: DocsLinkProps) {
  const { service, docs } = useConsole()
  const url = docs === undefined ? undefined : docsUrl(docs, service, operation)
  if (url === undefined) return null
  return (
    // In a new tab, because the page may have unsaved input.
    <Anchor href={url} target="_blank" rel="noopener" size="sm" title={`${operation.method} ${operation.path}`}>
      {text().shell.docs}
    </Anchor>
  )
}
