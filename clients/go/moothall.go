// Package moothall starts a Moothall server for tests. See README.md.
package moothall

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Options says what to start. The zero value starts `npx moothall`, or what the environment variable MOOTHALL has.
type Options struct {
	// Where is a command, the folder of a checkout or release, or image:<name> for docker.
	Where string
	// Seed is the path of a seed file.
	Seed string
}

// Server is what a server prints when it is ready.
type Server struct {
	URL         string `json:"url"`
	Token       string `json:"token"`
	Username    string `json:"username"`
	Password    string `json:"password"`
	SSHPort     int    `json:"ssh_port"`
	RegistryURL string `json:"registry_url"`
	Seed        struct {
		Users    map[string]int `json:"users"`
		Groups   map[string]int `json:"groups"`
		Projects map[string]int `json:"projects"`
		Runners  []struct {
			ID          int    `json:"id"`
			Description string `json:"description"`
			Token       string `json:"token"`
		} `json:"runners"`
	} `json:"seed"`
}

// Start runs a server until the test is over.
func Start(t testing.TB, options Options) Server {
	t.Helper()
	server, stop, err := start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return server
}

func start(options Options) (server Server, stop func(), err error) {
	args, err := commandOf(options)
	if err != nil {
		return
	}
	command := exec.Command(args[0], args[1:]...)
	command.Stderr = os.Stderr
	// The server ends when its stdin does, also inside a container, and however this process ends.
	input, err := command.StdinPipe()
	if err != nil {
		return
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return
	}
	if err = command.Start(); err != nil {
		return
	}
	stop = func() {
		_ = input.Close()
		_ = command.Wait()
	}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &server)
	}
	if err != nil {
		_ = command.Process.Signal(syscall.SIGTERM)
		stop()
		err = fmt.Errorf("%s did not start: %w", strings.Join(args, " "), err)
	}
	return
}

func commandOf(options Options) ([]string, error) {
	where := options.Where
	if where == "" {
		where = os.Getenv("MOOTHALL")
	}
	if where == "" {
		where = "npx moothall"
	}
	started := []string{"--ephemeral", "--until-eof"}
	seed, err := filepath.Abs(options.Seed)
	if err != nil {
		return nil, err
	}
	if image, isImage := strings.CutPrefix(where, "image:"); isImage {
		run, err := dockerRun()
		if err != nil {
			return nil, err
		}
		if options.Seed != "" {
			run = append(run, "--volume", seed+":/seed:ro")
			started = append(started, "--seed", "/seed")
		}
		return append(append(run, image, "node", "apps/standalone/dist/main.js"), started...), nil
	}
	if options.Seed != "" {
		started = append(started, "--seed", seed)
	}
	program := filepath.Join(where, "tools/start.mjs")
	if _, err := os.Stat(program); err == nil {
		return append([]string{"node", program}, started...), nil
	}
	return append(strings.Fields(where), started...), nil
}

// dockerRun publishes one port under the number that it has inside, because the server prints its address.
func dockerRun() ([]string, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		return nil, err
	}
	return []string{
		"docker", "run", "--rm", "--interactive",
		"--publish", fmt.Sprintf("127.0.0.1:%d:%d", port, port),
		"--env", fmt.Sprintf("PORT=%d", port),
		"--env", fmt.Sprintf("EXTERNAL_URL=http://127.0.0.1:%d", port),
	}, nil
}
