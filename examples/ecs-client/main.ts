// node bootstrap.mjs examples/ecs-client/main.ts, with these in the environment.
import { run } from './story.ts'

const given = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

await run(
  {
    url: given('MEGREZ_URL'),
    token: given('MEGREZ_TOKEN'),
    namespace: given('ECS_NAMESPACE'),
    vpc: given('ECS_VPC'),
    subnet: given('ECS_SUBNET'),
    secret: given('ECS_CALLBACK_SECRET'),
  },
  (line) => void process.stdout.write(`${line}\n`),
)
