/** Asks who asks: by the provider that the service names, or with a token. */
import { Alert, Button, Divider, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Dialog } from '../view/dialog.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import type { SignIn } from './use-sign-in.ts'

export default function SignInDialog({ signIn }: { readonly signIn: SignIn }) {
  const [token, setToken] = useState('')
  const [error, setError] = useState<unknown>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (token.trim() !== '') signIn.paste(token)
  }
  return (
    <Dialog onClose={signIn.close} title={signIn.isSignedIn ? 'Signed in' : 'Sign in'} size="sm">
      <Stack>
        {error !== undefined && <ProblemAlert error={error} />}
        {signIn.isRefused && (
          <Alert color="red" role="alert">
            The service did not take the token: it may have ended, or be meant for another service.
          </Alert>
        )}
        {signIn.provider !== undefined && (
          <>
            <Text size="sm">
              You sign in at {signIn.provider}. The token is sent to {signIn.bases.join(', ')} only.
            </Text>
            <Button onClick={() => signIn.toProvider().catch(setError)} data-autofocus>
              Sign in with the provider of the service
            </Button>
            <Divider label="or" />
          </>
        )}
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput
              label="Bearer token"
              description={`It is kept until this tab is closed, and sent to ${signIn.bases.join(', ')} only.`}
              type="password"
              autoComplete="off"
              value={token}
              onChange={({ currentTarget: { value } }) => setToken(value)}
            />
            <Group justify="space-between">
              {signIn.isSignedIn ? (
                <Button variant="default" onClick={signIn.leave}>
                  Sign out
                </Button>
              ) : (
                <Text size="xs" c="dimmed">
                  {''}
                </Text>
              )}
              <Button
                type="submit"
                variant={signIn.provider === undefined ? 'filled' : 'default'}
                disabled={token.trim() === ''}
              >
                Use this token
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Dialog>
  )
}
