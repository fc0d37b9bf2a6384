export { followsForNothing, type TracingSettings, tracingSettings } from './settings';
export { currentTask, type Origin, type Partner, requestOfLine, Task, waitingFor, withinTask } from './task';
export { type Kind, Works, type WorksOptions } from './works';
