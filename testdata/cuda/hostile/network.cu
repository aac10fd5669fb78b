// Reaching others through sockets. The driver listens on a port, on a path and on an abstract name.
#include "hostile.h"

#include <arpa/inet.h>
#include <linux/if_alg.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace {

// Whether a connection stands within a second.
[[maybe_unused]] bool connects(int fd, const void* address, size_t size) {
  if (fd < 0) return false;
  fcntl(fd, F_SETFL, O_NONBLOCK);
  if (connect(fd, static_cast<const sockaddr*>(address), static_cast<socklen_t>(size)) == 0) return true;
  if (errno != EINPROGRESS) return false;
  pollfd waiting = {fd, POLLOUT, 0};
  int error = 1;
  socklen_t length = sizeof(error);
  return poll(&waiting, 1, 1000) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 &&
         error == 0;
}

[[maybe_unused]] sockaddr_in internet(const char* host, int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  inet_pton(AF_INET, host, &address.sin_addr);
  return address;
}

// `name` as a path, or as an abstract name where `offset` is 1.
[[maybe_unused]] bool connects_to_unix(const char* name, int type, int offset) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path + offset, name, sizeof(address.sun_path) - 2);
  const size_t size = offset == 0 ? sizeof(address) : offsetof(sockaddr_un, sun_path) + 1 + strlen(name);
  return connects(socket(AF_UNIX, type, 0), &address, size);
}

}  // namespace

#if TRICK == 1  // the driver's port on this machine
void attack(const World& world) {
  const sockaddr_in address = internet("127.0.0.1", world.number("--port"));
  escaped_if(connects(socket(AF_INET, SOCK_STREAM, 0), &address, sizeof(address)),
             "connected to the driver's port");
}
#elif TRICK == 2   // hosts outside
void attack(const World&) {
  for (const char* host :
       {"1.1.1.1", "8.8.8.8", "169.254.169.254", "10.0.0.1", "192.168.0.1", "172.17.0.1"}) {
    const sockaddr_in address = internet(host, 80);
    escaped_if(connects(socket(AF_INET, SOCK_STREAM, 0), &address, sizeof(address)), host);
  }
}
#elif TRICK == 3   // the driver's socket in the file system
void attack(const World& world) {
  escaped_if(connects_to_unix(world.text("--socket"), SOCK_STREAM, 0), "connected by a path");
}
#elif TRICK == 4   // the driver's abstract socket
void attack(const World& world) {
  escaped_if(connects_to_unix(world.text("--abstract"), SOCK_STREAM, 1), "connected by an abstract name");
}
#elif TRICK == 5   // sockets of the system's services
void attack(const World&) {
  for (const char* path :
       {"/run/docker.sock", "/var/run/docker.sock", "/run/systemd/private", "/run/dbus/system_bus_socket",
        "/run/containerd/containerd.sock", "/run/systemd/journal/stdout", "/run/nscd/socket"}) {
    escaped_if(connects_to_unix(path, SOCK_STREAM, 0), path);
  }
  for (const char* path : {"/dev/log", "/run/systemd/journal/socket", "/run/systemd/notify"}) {
    escaped_if(connects_to_unix(path, SOCK_DGRAM, 0), path);
  }
}
#elif TRICK == 6   // raw packets
void attack(const World&) {
  const int fd = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
  const sockaddr_in address = internet("1.1.1.1", 0);
  const char echo[8] = {8, 0, static_cast<char>(0xf7), static_cast<char>(0xff), 0, 0, 0, 0};
  escaped_if(
      fd >= 0 && sendto(fd, echo, 8, 0, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 8,
      "sent a raw packet");
}
#elif TRICK == 7   // frames on the wire
void attack(const World&) {
  const int fd = socket(AF_PACKET, SOCK_RAW, htons(3));
  char frame[2048];
  escaped_if(fd >= 0 && recv(fd, frame, sizeof(frame), MSG_DONTWAIT) > 0, "received a frame");
}
#elif TRICK == 8   // names of hosts
void attack(const World&) {
  addrinfo* found = nullptr;
  escaped_if(getaddrinfo("example.com", "80", nullptr, &found) == 0, "resolved a name");
}
#elif TRICK == 9   // the kernel's routing socket, to bring an interface up
void attack(const World&) {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  ifreq request = {};
  strcpy(request.ifr_name, "eth0");
  escaped_if(fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0, "sees the interface eth0");
  request.ifr_flags = IFF_UP;
  escaped_if(fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &request) == 0, "changed an interface");
}
#elif TRICK == 10  // broadcasts
void attack(const World&) {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  const int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &yes, sizeof(yes));
  const sockaddr_in address = internet("255.255.255.255", 9);
  escaped_if(sendto(fd, "x", 1, 0, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 1,
             "sent a broadcast");
}
#elif TRICK == 11  // version 6
void attack(const World& world) {
  sockaddr_in6 address = {};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(static_cast<uint16_t>(world.number("--port")));
  for (const char* host : {"::1", "::ffff:127.0.0.1", "2606:4700:4700::1111"}) {
    inet_pton(AF_INET6, host, &address.sin6_addr);
    escaped_if(connects(socket(AF_INET6, SOCK_STREAM, 0), &address, sizeof(address)), host);
  }
}
#elif TRICK == 12  // the host of a virtual machine
void attack(const World&) {
  sockaddr_vm address = {};
  address.svm_family = AF_VSOCK;
  address.svm_cid = VMADDR_CID_HOST;
  address.svm_port = 1024;
  escaped_if(connects(socket(AF_VSOCK, SOCK_STREAM, 0), &address, sizeof(address)),
             "connected to the virtual machine's host");
}
#elif TRICK == 13  // the kernel's ciphers
void attack(const World&) {
  sockaddr_alg address = {};
  address.salg_family = AF_ALG;
  strcpy(reinterpret_cast<char*>(address.salg_type), "hash");
  strcpy(reinterpret_cast<char*>(address.salg_name), "sha256");
  const int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);
  if (fd >= 0) bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address));
}
#elif TRICK == 14  // shells and tools that know the network
void attack(const World& world) {
  char command[1024];
  snprintf(command, sizeof(command),
           "bash -c 'echo x > /dev/tcp/127.0.0.1/%s && echo ESCAPED: bash' ; curl -m 1 -s "
           "http://127.0.0.1:%s && echo ESCAPED: curl ; "
           "wget -T 1 -t 1 -q -O - http://1.1.1.1 && echo ESCAPED: wget",
           world.text("--port"), world.text("--port"));
  if (system(command) != 0) fprintf(stderr, "no network\n");
}
#elif TRICK == 15  // a server for the world
void attack(const World&) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = internet("0.0.0.0", 45678);
  bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address));
  listen(fd, 100);
  accept(fd, nullptr, nullptr);
}
#elif TRICK == 16  // every family and type of socket that there may be
void attack(const World&) {
  for (int family = 0; family < 50; ++family) {
    for (int type = 1; type < 11; ++type) {
      for (int protocol = 0; protocol < 8; ++protocol) {
        const int fd = socket(family, type, protocol);
        if (fd >= 0) close(fd);
      }
    }
  }
}
#elif TRICK == 17  // buffers of socket pairs filled until nothing is left
void attack(const World&) {
  static char bytes[1 << 16];
  int ends[2];
  while (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
    while (send(ends[0], bytes, sizeof(bytes), MSG_DONTWAIT) > 0) {
    }
  }
  pause();
}
#elif TRICK == 18  // descriptors of open sockets that were inherited
void attack(const World&) {
  for (int fd = 3; fd < 1024; ++fd) {
    char bytes[256];
    escaped_if(send(fd, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1, "sent through an inherited socket");
    escaped_if(recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0, "received through an inherited socket");
    escaped_if(accept(fd, nullptr, nullptr) >= 0, "accepted through an inherited socket");
  }
}
#elif TRICK == 19  // messages of the kernel: devices and audit
void attack(const World&) {
  for (int protocol : {NETLINK_KOBJECT_UEVENT, NETLINK_AUDIT, NETLINK_NETFILTER}) {
    const int fd = socket(AF_NETLINK, SOCK_RAW, protocol);
    sockaddr_nl address = {};
    address.nl_family = AF_NETLINK;
    address.nl_groups = ~0u;
    char bytes[4096];
    if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) continue;
    escaped_if(recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0, "received a message of the kernel");
  }
}
#endif
