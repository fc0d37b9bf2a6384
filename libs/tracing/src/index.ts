export { openTracer } from './open-tracer';
export { followsForNothing, type TracingSettings, tracingSettings } from './settings';
export type { Span, Tracer } from './span';
export {
  currentTask,
  type Origin,
  originOfTask,
  type Partner,
  requestOfLine,
  Task,
  waitingFor,
  withinTask,
} from './task';
export { readTraceparent } from './traceparent';
export { type Kind, Works, type WorksOptions } from './works';
