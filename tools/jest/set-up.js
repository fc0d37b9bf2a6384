module.exports = async () => require('./own-folder').open();
