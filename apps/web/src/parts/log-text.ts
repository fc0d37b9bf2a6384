import { stripVTControlCharacters } from 'node:util';

const sectionMarker = /section_(?:start|end):\d+:[\w.-]*(?:\[[^\]\n]*\])?\r?/g;

/**
 * The log of a job as a terminal would show it, without colours: a carriage return begins the line again, markers of
 * sections and control characters are left out.
 */
export const logText = (log: string): string =>
  stripVTControlCharacters(log.replace(sectionMarker, ''))
    .split('\n')
    .map((line) => line.replace(/\r+$/, ''))
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).replace(/[^\P{Cc}\t]/gu, ''))
    .join('\n');
