"""The messages of the service, as protoc makes them when the package is built: collision_pb2.

They need protobuf. tocsin.live is the client; this is for programs that speak to a server themselves.
"""
