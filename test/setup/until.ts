export { until } from '../../platform/programs/until.ts'
