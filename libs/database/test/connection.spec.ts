import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { MongooseModule } from '@nestjs/mongoose';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { DatabaseModule } from '../src';
import { connectionOptions } from '../src/connection-options';

let infrastructure: TestInfrastructure;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
});
afterAll(() => infrastructure?.stop());

// It was unspecified, and MONGODB_URI could change it.
describe('the connection of a service', () => {
  it('has every write acknowledged by most, and reads where it writes', async () => {
    const { mongodbUri, mongodbPrefix } = infrastructure;
    const client = new MongoClient(mongodbUri, { ...connectionOptions, monitorCommands: true });
    const commands = new Map<string, CommandStartedEvent['command']>();
    client.on('commandStarted', ({ commandName, command }) => commands.set(commandName, command));
    const items = client.db(`${mongodbPrefix}_connection`).collection<{ _id: number; n: number }>('items');
    await items.insertOne({ _id: 1, n: 1 });
    await items.updateMany({}, { $inc: { n: 1 } });
    await items.findOneAndUpdate({ _id: 1 }, { $inc: { n: 1 } });
    expect(await items.findOne({ _id: 1 })).toEqual({ _id: 1, n: 3 });
    await items.deleteMany({});
    const written = ['insert', 'update', 'findAndModify', 'delete'].map((name) => commands.get(name)?.writeConcern);
    expect(written).toEqual(written.map(() => ({ w: 'majority' })));
    expect(commands.get('find')?.$readPreference?.mode ?? 'primary').toBe('primary');
    expect(client.options).toMatchObject({ retryWrites: true, retryReads: true, readPreference: { mode: 'primary' } });
    await client.close();
  });

  it('is created with them', () => {
    const forRoot = jest.spyOn(MongooseModule, 'forRoot');
    DatabaseModule.forService({ service: 'test', uri: infrastructure.mongodbUri, prefix: 'x' });
    expect(forRoot).toHaveBeenCalledWith(infrastructure.mongodbUri, expect.objectContaining(connectionOptions));
    forRoot.mockRestore();
  });

  it.each(['readPreference=secondary', 'readpreference=primaryPreferred', 'w=1', 'w=0', 'journal=false'])(
    'is refused with %s in its address',
    (parameter) => {
      const uri = `mongodb://127.0.0.1:1/?replicaSet=rs&${parameter}`;
      const connect = () => DatabaseModule.forService({ service: 'test', uri, prefix: 'x' });
      expect(connect).toThrow(`MONGODB_URI has ${parameter}`);
    },
  );

  it.each(['readPreference=primary', 'w=majority', 'journal=true', 'retryWrites=false', 'appName=x'])(
    'may have %s',
    (parameter) => {
      const uri = `mongodb+srv://user:secret@db.example.com/?${parameter}`;
      expect(() => DatabaseModule.forService({ service: 'test', uri, prefix: 'x' })).not.toThrow();
    },
  );
});
