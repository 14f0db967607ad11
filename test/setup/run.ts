export { run, type Outcome } from '../../platform/programs/run.ts'
