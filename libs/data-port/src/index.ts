export { DataPort, type DataPortOptions, type TicketHandler } from './data-port';
