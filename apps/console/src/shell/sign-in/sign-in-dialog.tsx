/** Signs in at the OpenID provider of the service, or with a pasted token. */
import { Alert, Button, Divider, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { pastedToken } from '../../http/sign-in/pasted-token.ts'
import { text } from '../../language/language.ts'
import { Dialog } from '../../view/dialog/dialog.tsx'
import { ProblemAlert } from '../../view/problem-alert.tsx'
import type { SignIn } from './use-sign-in.ts'

export default function SignInDialog({ signIn }: { readonly signIn: SignIn }) {
  const [input, setInput] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  const [error, setError] = useState<unknown>()
  const bases = signIn.bases.join(', ')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const token = pastedToken(input)
    setInvalid(token === undefined)
    if (token !== undefined) signIn.paste(token)
  }
  return (
    <Dialog onClose={signIn.close} title={signIn.isSignedIn ? text().shell.changeToken : text().shell.signIn} size="sm">
      <Stack>
        {error !== undefined && <ProblemAlert error={error} />}
        {signIn.isRefused && (
          <Alert color="red" role="alert">
            {text().shell.tokenRefused}
          </Alert>
        )}
        {signIn.provider !== undefined && (
          <>
            <Text size="sm">{text().shell.signInNote(signIn.provider, bases)}</Text>
            <Button onClick={() => signIn.redirectToProvider().catch(setError)} data-autofocus>
              {text().shell.signInAtProvider}
            </Button>
            <Divider label={text().shell.or} />
          </>
        )}
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput
              label={text().shell.token}
              description={text().shell.tokenNote(bases)}
              type="password"
              autoComplete="off"
              error={isInvalid && text().shell.tokenInvalid}
              value={input}
              onChange={({ currentTarget: { value } }) => setInput(value)}
            />
            <Group justify="flex-end">
              <Button
                type="submit"
                variant={signIn.provider === undefined ? 'filled' : 'default'}
                disabled={input.trim() === ''}
              >
                {text().shell.useToken}
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Dialog>
  )
}
