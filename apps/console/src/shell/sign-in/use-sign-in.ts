/** Sign-in for services that require a token. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { Identity } from '../../http/sign-in/identity.ts'
import { session } from '../../http/sign-in/session.ts'
import { securityOf } from '../../model/service/security.ts'
import { useConsole } from '../../state/console-context.ts'
import type { LoadedSettings } from '../../state/load.ts'

export interface SignIn {
  /** Whether to show the sign-in: the service accepts tokens, a token is in use, or the dialog is open. */
  readonly isOffered: boolean
  readonly isSignedIn: boolean
  /** The person and the scopes of the token. */
  readonly identity: Identity | undefined
  /** The dialog is open. */
  readonly isOpen: boolean
  /** The service rejected the token. */
  readonly isRefused: boolean
  /** The origin of the OpenID provider; undefined if a token must be pasted. */
  readonly provider: string | undefined
  /** The URLs that the token is sent to. */
  readonly bases: readonly string[]
  open(): void
  close(): void
  paste(token: string): void
  signOut(): void
  redirectToProvider(): Promise<void>
}

export function useSignIn({
  clientId = 'nomen-console',
  issuer,
  audience,
  scope,
  isNamedByLink,
}: LoadedSettings): SignIn {
  const { service, http } = useConsole()
  const queries = useQueryClient()
  const [base, setBase] = useState(service.apis[0]?.base ?? '')
  const binding = http.bindingOf(base)
  const { openIdConnectUrl, takesToken, scopes } = securityOf(service, binding.bases, issuer)
  const [isOpen, setOpen] = useState(false)
  // The session is not React state.
  const [, rerender] = useState(0)
  const [isRefused, setRefused] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  useEffect(() => {
    http.onUnauthorized = ({ base: rejectedBase, token }) => {
      session.removeRejected(http.bindingOf(rejectedBase), token)
      setBase(rejectedBase)
      setRefused(token !== undefined)
      open()
    }
  }, [http, open])
  const change = (work: () => void) => {
    work()
    setRefused(false)
    setOpen(false)
    rerender((count) => count + 1)
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'service' })
  }
  return {
    isOffered: takesToken || session.isSignedIn(binding) || isOpen,
    isSignedIn: session.isSignedIn(binding),
    identity: session.identity(binding),
    isOpen,
    isRefused,
    provider: openIdConnectUrl && new URL(openIdConnectUrl).origin,
    bases: binding.bases,
    open,
    close: () => setOpen(false),
    paste: (token) => change(() => session.paste(binding, token)),
    signOut: () => change(() => session.signOut(binding)),
    redirectToProvider: async () => {
      if (openIdConnectUrl !== undefined)
        await session.begin(binding, {
          url: openIdConnectUrl,
          isNamedByLink: isNamedByLink && issuer === undefined,
          clientId,
          // /usage is not in the documents.
          scope: scope ?? ['openid', 'profile', ...scopes, ...(scopes.length > 0 ? ['usage:read'] : [])].join(' '),
          audience,
        })
    },
  }
}
