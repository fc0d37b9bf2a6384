/**
 * An export of 1,000,000 vulnerabilities, beside fast-csv writing the same rows from memory, and its effect on other
 * requests.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { print, root } from '../set-up.mjs';
import { api, memoryByProcess } from './stack.mjs';

const count = Number(process.env.VULNERABILITIES ?? 1_000_000);
const load = createRequire(import.meta.url);
const severities = ['critical', 'high', 'medium', 'low', 'info', 'unknown'];

/** In the stored form of the service. */
export function vulnerability(projectId, n) {
  const at = new Date();
  const name = `CVE-2020-${n}`;
  return {
    _id: 1_000_000_000 + n,
    projectId,
    fingerprint: `bench-${n}`,
    locationFingerprint: `bench-${n}`,
    reportType: 'container_scanning',
    title: `${name} in package-${n % 1000}`,
    description: `A long description of what is wrong, "quoted",\nin two lines: ${n}. ${'Lorem ipsum dolor sit amet. '.repeat(6)}`,
    message: `${name} in package-${n % 1000}`,
    severity: severities[n % 6],
    severityRank: n % 6,
    cve: name,
    confidence: 'unknown',
    solution: null,
    scanner: { externalId: 'trivy', name: 'Trivy', vendor: null },
    identifiers: [{ type: 'cve', name, value: name, url: `https://cve.example.com/${name}` }],
    location: { image: 'registry.example.com/app', package: `package-${n % 1000}` },
    links: [],
    state: 'detected',
    seenIn: 1,
    resolvedOnDefaultBranch: false,
    authorId: 1,
    createdAt: at,
    updatedAt: at,
  };
}

/** Time of `GET /user`, sequentially until the signal. */
async function latencies(stack, until) {
  const times = [];
  while (!until.isOver) {
    const began = performance.now();
    await api(stack, 'GET', '/user');
    times.push(performance.now() - began);
    await wait(5);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

async function during(stack, ms) {
  const until = { isOver: false };
  const p99 = latencies(stack, until);
  await wait(ms);
  until.isOver = true;
  return p99;
}

/** The rate of fast-csv alone, to a file. @returns rows per second */
async function floor(rowOf) {
  const { format } = load(load.resolve('@fast-csv/format', { paths: [path.join(root, 'apps/security')] }));
  const all = Array.from({ length: count }, (_, n) => rowOf(vulnerability(1, n)));
  const file = path.join(root, 'test-output', `floor-${process.pid}.csv`);
  const began = performance.now();
  await pipeline(Readable.from(all), format({ headers: true }), createWriteStream(file));
  const seconds = (performance.now() - began) / 1000;
  await rm(file);
  return count / seconds;
}

/** Without the database, because the kernel counts its file pages, too. */
function memoryOfServices(stack) {
  const services = memoryByProcess(stack.pid, (name) => name.includes('services'));
  return [...services.values()].reduce((sum, megabytes) => sum + megabytes, 0);
}

/** @param look called repeatedly until it is finished */
async function exportAll(stack, project, look = () => undefined) {
  const { id } = await api(stack, 'POST', `/security/projects/${project.id}/vulnerability_exports`);
  for (let status = ''; status !== 'finished'; look()) {
    await wait(200);
    ({ status } = await api(stack, 'GET', `/security/vulnerability_exports/${id}`));
    if (status === 'failed') throw new Error('the export failed');
  }
}

export async function measureVulnerabilities(stack) {
  const { rowOf } = load(path.join(root, 'apps/security/dist/export/csv/csv-row.js'));
  const floorRate = await floor((one) => rowOf(one, { groupName: 'Group', projectName: 'App' }));
  const project = await api(stack, 'POST', '/projects', { name: 'bench-vulnerabilities' });
  const client = await MongoClient.connect(stack.mongodb_uri);
  try {
    const vulnerabilities = client.db('moothall_security').collection('vulnerabilities');
    for (let start = 0; start < count; start += 5_000) {
      const some = Array.from({ length: Math.min(5_000, count - start) }, (_, n) =>
        vulnerability(project.id, start + n),
      );
      await vulnerabilities.insertMany(some, { ordered: false });
    }
  } finally {
    await client.close();
  }
  print(`  ${count} vulnerabilities are there`);
  await api(stack, 'POST', '/features/first_class_vulnerabilities', { value: true });
  const memory = memoryOfServices(stack);
  let most = memory;
  const began = performance.now();
  await exportAll(stack, project, () => {
    most = Math.max(most, memoryOfServices(stack));
  });
  const rate = (count / (performance.now() - began)) * 1000;
  // Measured again, because the requests themselves use processor time.
  const idle = await during(stack, 5_000);
  const until = { isOver: false };
  const busy = latencies(stack, until);
  await exportAll(stack, project);
  until.isOver = true;
  const p99 = await busy;
  return [
    {
      figure: `export of ${count} vulnerabilities against fast-csv from memory`,
      value: `${Math.round(rate)} rows/s`,
      floor: `${Math.round(floorRate)} rows/s`,
      ratio: rate / floorRate,
      goal: 'at least 0.6',
    },
    { figure: 'memory added meanwhile, of the services', value: `${most - memory} MB`, goal: 'under 150 MB' },
    {
      figure: 'p99 of GET /user meanwhile against idle',
      value: `${p99.toFixed(1)} ms`,
      floor: `${idle.toFixed(1)} ms`,
      ratio: p99 / idle,
      goal: 'under 3',
    },
  ];
}
