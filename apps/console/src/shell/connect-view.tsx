/** Asks for the URL of a service or of its OpenAPI document, if the settings name none. */
import { Button, Container, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { text } from '../language/language.ts'
import { loadDocument } from '../state/load.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'

export default function ConnectView() {
  const [address, setAddress] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const documents = await documentsAt(address.trim())
      location.search = `${new URLSearchParams(documents.map((url) => ['document', url]))}`
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Container size="xs" py={80} component="main">
      <Paper withBorder p="lg">
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h3">
              {text().shell.connectTitle}
            </Title>
            <Text size="sm" c="dimmed">
              {text().shell.connectNote}
            </Text>
            {error !== undefined && <ProblemAlert error={error} />}
            <TextInput
              label={text().shell.connectAddress}
              placeholder={text().shell.connectAddressExample}
              type="url"
              required
              value={address}
              onChange={({ currentTarget: { value } }) => setAddress(value)}
            />
            <Button type="submit" loading={isBusy} disabled={address.trim() === ''}>
              {text().shell.connect}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Container>
  )
}

/** The document itself, or the usual documents of a service and its first versions. */
async function documentsAt(address: string): Promise<string[]> {
  if (/\.json(\?|$)/i.test(address)) {
    await loadDocument(address)
    return [address]
  }
  const base = address.replace(/\/$/, '')
  const defaultDocument = `${base}/openapi.json`
  const first = await loadDocument(defaultDocument)
  const versions = [1, 2, 3].map((version) => `${base}/v${version}/openapi.json`)
  const versioned = await Promise.all(
    versions.map(async (url) => {
      const document = await loadDocument(url).catch(() => undefined)
      // If all apis have a version, the document without one is the newest of them.
      return document && JSON.stringify(document) !== JSON.stringify(first) ? [url] : []
    }),
  )
  return [defaultDocument, ...versioned.flat()]
}
