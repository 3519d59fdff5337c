import { readFileSync } from 'node:fs'
import { answerFrom, play } from './support/recorded.ts'
import { recordedLogin, trytonPorts } from './support/tryton-subject.ts'
import { questions, recordedAt } from './adapters/tryton-questions.ts'
for (const name of process.argv.slice(2)) {
  const ex = JSON.parse(readFileSync(new URL(`../fixtures/tryton/${name}.json`, import.meta.url), 'utf8'))
  const system = await play(answerFrom(ex))
  const ports = trytonPorts({ address: system.address, ...recordedLogin }, undefined, recordedAt)
  console.log(name, JSON.stringify(await (questions as any)[name](ports).catch((e: Error) => e.stack), null, 1))
  console.log(system.asked.map((a: any) => a.method).join(' '))
  await ports.close(); await system.end()
}
